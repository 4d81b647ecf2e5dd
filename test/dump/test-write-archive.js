'use strict'

// The order of the calls that write an archive, and what they take. test-open.js reads such archives.

const { BSONError, encode } = require('../../qbson')
const { ArchiveWriter, Namespace } = require('../../lib/dump')

const orders = new Namespace('shop', 'orders')
const document = encode({ _id: 1 })

module.exports = {
  'calls in a wrong order, or with something else, are errors': function (t) {
    const cases = {
      'add: the archive has not begun': writer => writer.add(orders, document),
      'end: the archive has not begun': writer => writer.end(),
      'begin: the archive has begun': writer => [writer.begin(), writer.begin()],
      'add: the archive has ended': writer => [writer.begin(), writer.end(), writer.add(orders, document)],
      'end: the archive has ended': writer => [writer.begin(), writer.end(), writer.end()],
      'the archive has no shop.items': writer => [writer.begin(), writer.add(new Namespace('shop', 'items'), document)],
      'a namespace must be a Namespace: shop.orders': writer => [writer.begin(), writer.add('shop.orders', document)],
      'documents must be a Uint8Array: an object': writer => [writer.begin(), writer.add(orders, [document])]
    }
    for (const [message, call] of Object.entries(cases)) {
      t.throws(() => call(new ArchiveWriter([orders])), error => error instanceof BSONError && error.message === message, message)
    }
    for (const wrong of ['shop.orders', null, { name: 'a' }, new Namespace('shop'), new Namespace(5, 'a')]) {
      t.throws(() => new ArchiveWriter([wrong]), /^BSONRuntimeError: a namespace must be a Namespace/)
    }
    t.done()
  }
}
