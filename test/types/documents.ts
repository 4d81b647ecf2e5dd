// What TypeScript knows of documents that are read one after another.

import { documents, documentStream, type DocumentsOptions } from 'qbson'
import { columnStatistics, inferColumns } from 'qbson/columns'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const sure = <T extends true>(): T => true as T

interface Book { title: string }

const bytes = new Uint8Array()
const options: DocumentsOptions = { bytes: true }
const asBytes = documents(bytes, { bytes: true, maxDocumentSize: 5 })
const streamed = documentStream([bytes], { bytes: true })
const books = documents<Book>(bytes, { useBigInt64: true })
const either = documents(bytes, options)
const given = documents<Uint8Array>(bytes, { bytes: true })

sure<Same<typeof asBytes, Generator<Uint8Array, void, void>>>()
sure<Same<typeof streamed, AsyncGenerator<Uint8Array, void, void>>>()
sure<Same<typeof books, Generator<Book, void, void>>>()
sure<Same<typeof either, Generator<any, void, void>>>()
sure<Same<typeof given, Generator<Uint8Array, void, void>>>()

// @ts-expect-error: no such option
documents(bytes, { bytes: true, byte: true })

// @ts-expect-error: on or off
documents(bytes, { bytes: 1 })

// @ts-expect-error: the name of a file is not its bytes
inferColumns('file.bson')

// @ts-expect-error
columnStatistics('file.bson')
