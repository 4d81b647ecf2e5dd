'use strict'

const assert = require('assert')
const crypto = require('crypto')
const { buffer } = require('stream/consumers')
const { Readable } = require('stream')
const { pipeline } = require('stream/promises')

/** Bytes that look random and are the same in every run. */
function bytesOf(length) {
  return crypto.createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), Buffer.alloc(16)).update(Buffer.alloc(length))
}

async function bucketWith(context, name, bytes) {
  const bucket = new context.mongodb.GridFSBucket(context.db, { bucketName: name, chunkSizeBytes: 100_000 })
  await bucket.drop().catch(() => {})
  const id = new context.bson.ObjectId('0123456789abcdef01234567')
  const upload = bucket.openUploadStreamWithId(id, 'file.bin', { metadata: { type: 'bin', pages: 3 } })
  await pipeline(Readable.from([bytes.subarray(0, 123_456), bytes.subarray(123_456)]), upload)
  return { bucket, id }
}

module.exports = {
  'GridFS: upload and download of a megabyte': async context => {
    const bytes = bytesOf(1_234_567)
    const { bucket, id } = await bucketWith(context, 'fs1', bytes)
    const downloaded = await buffer(bucket.openDownloadStream(id))
    assert.ok(downloaded.equals(bytes))
    const [{ uploadDate, ...file }] = await bucket.find().toArray()
    assert.ok(uploadDate instanceof Date)
    const chunks = await context.db.collection('fs1.chunks').find({}, { projection: { _id: 0 } }).sort({ n: 1 }).toArray()
    assert.ok(Buffer.concat(chunks.map(({ data }) => data.buffer)).equals(bytes))
    return [file, chunks]
  },

  'GridFS: a part of a file, by name': async context => {
    const bytes = bytesOf(400_000)
    const { bucket } = await bucketWith(context, 'fs2', bytes)
    const part = await buffer(bucket.openDownloadStreamByName('file.bin', { start: 99_990, end: 300_010 }))
    assert.ok(part.equals(bytes.subarray(99_990, 300_010)))
  },

  'GridFS: rename, delete and what is missing': async context => {
    const { bucket, id } = await bucketWith(context, 'fs3', bytesOf(10))
    await bucket.rename(id, 'other.bin')
    const names = (await bucket.find().toArray()).map(({ filename }) => filename)
    await bucket.delete(id)
    return [names, await bucket.find().toArray(), await buffer(bucket.openDownloadStream(id)).catch(err => err)]
  }
}
