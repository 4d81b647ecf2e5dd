'use strict'

// The document of the jvm-serializers benchmark: two images, one media with a list of persons.

const media = () => ({
  images: [
    {
      height: 768,
      size: 'LARGE',
      title: 'Javaone Keynote',
      uri: 'http://javaone.com/keynote_large.jpg',
      width: 1024
    },
    {
      height: 240,
      size: 'SMALL',
      title: 'Javaone Keynote',
      uri: 'http://javaone.com/keynote_small.jpg',
      width: 320
    }
  ],
  media: {
    bitrate: 262144,
    duration: 18000000,
    format: 'video/mpg4',
    height: 480,
    persons: ['Bill Gates', 'Steve Jobs'],
    player: 'JAVA',
    size: 58982400,
    title: 'Javaone Keynote',
    uri: 'http://javaone.com/keynote.mpg',
    width: 640
  }
})

const avro = {
  type: 'record',
  name: 'MediaContent',
  fields: [
    {
      name: 'images',
      type: {
        type: 'array',
        items: {
          type: 'record',
          name: 'Image',
          fields: [
            { name: 'height', type: 'int' },
            { name: 'size', type: { type: 'enum', name: 'Size', symbols: ['SMALL', 'LARGE'] } },
            { name: 'title', type: 'string' },
            { name: 'uri', type: 'string' },
            { name: 'width', type: 'int' }
          ]
        }
      }
    },
    {
      name: 'media',
      type: {
        type: 'record',
        name: 'Media',
        fields: [
          { name: 'bitrate', type: 'int' },
          { name: 'duration', type: 'int' },
          { name: 'format', type: 'string' },
          { name: 'height', type: 'int' },
          { name: 'persons', type: { type: 'array', items: 'string' } },
          { name: 'player', type: { type: 'enum', name: 'Player', symbols: ['JAVA', 'FLASH'] } },
          { name: 'size', type: 'int' },
          { name: 'title', type: 'string' },
          { name: 'uri', type: 'string' },
          { name: 'width', type: 'int' }
        ]
      }
    }
  ]
}

const protobuf = {
  message: 'MediaContent',
  text: `syntax = "proto3";
    message Image {
      enum Size { SMALL = 0; LARGE = 1; }
      int32 height = 1;
      Size size = 2;
      string title = 3;
      string uri = 4;
      int32 width = 5;
    }
    message Media {
      enum Player { JAVA = 0; FLASH = 1; }
      int32 bitrate = 1;
      int32 duration = 2;
      string format = 3;
      int32 height = 4;
      repeated string persons = 5;
      Player player = 6;
      int32 size = 7;
      string title = 8;
      string uri = 9;
      int32 width = 10;
    }
    message MediaContent {
      repeated Image images = 1;
      Media media = 2;
    }`
}

module.exports = { media, avro, protobuf }
