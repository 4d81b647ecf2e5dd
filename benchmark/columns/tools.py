# What Python tools take for the dump of the columns suite: CPU time, ns a document, as a line of JSON.
#
#     python3 tools.py WHAT FILE DOCUMENTS OUT

import importlib.metadata
import json
import resource
import sys
import warnings


warnings.simplefilter('ignore')


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def pymongoarrow(path, fields):
    import pyarrow as pa
    from pymongoarrow.api import Schema
    from pymongoarrow.context import PyMongoArrowContext
    from pymongoarrow.types import ObjectIdType

    types = {
        '_id': ObjectIdType(), 'name': pa.string(), 'city': pa.string(), 'price': pa.float64(), 'qty': pa.int32(),
        'at': pa.timestamp('ms'), 'active': pa.bool_(), 'note': pa.string(), 'tags': pa.list_(pa.string()),
        'addr': pa.struct([('zip', pa.string()), ('lat', pa.float64()), ('lon', pa.float64())]),
    }
    if fields == 2:
        types = {'price': pa.float64(), 'addr': pa.struct([('lat', pa.float64())])}
    with open(path, 'rb') as file:
        data = file.read()

    def run():
        context = PyMongoArrowContext(Schema(types))
        context.process_bson_stream(data)
        return context.finish().num_rows

    return run


def converted(path, out, file_format):
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pymongoarrow.context import PyMongoArrowContext

    def run():
        with open(path, 'rb') as file:
            data = file.read()
        context = PyMongoArrowContext(None)
        context.process_bson_stream(data)
        table = context.finish()
        if file_format == 'Parquet':
            pq.write_table(table, out)
        else:
            with pa.ipc.new_file(out, table.schema) as writer:
                writer.write_table(table)
        return table.num_rows

    return run


def clickhouse(path, out):
    import chdb

    query = f"""select * from file('{path}', 'BSONEachRow', '_id FixedString(12), name String, city String, price Float64,
        qty Int32, at DateTime64(3), active Bool, note Nullable(String), tags Array(String),
        addr Tuple(zip String, lat Float64, lon Float64)')
        into outfile '{out}' truncate format Parquet settings max_threads=1, output_format_parquet_compression_method='snappy'"""

    def run():
        chdb.query(query)
        return None

    return run


def main(what, path, documents, out):
    works = {
        'pymongoarrow, all columns': lambda: pymongoarrow(path, 13),
        'pymongoarrow, two columns': lambda: pymongoarrow(path, 2),
        **{f'pymongoarrow, {kind} to {to}': lambda to=to: converted(path, out, to) for kind in ('products', 'GeoJSON') for to in ('Parquet', 'Arrow')},
        'ClickHouse, to Parquet': lambda: clickhouse(path, out),
    }
    run = works[what]()

    def once():
        before = cpu()
        rows = run()
        assert rows in (None, documents), rows
        return cpu() - before

    used = 0
    while used < 1:  # a second to warm up, as suites/columns.js has it
        used += once()
    samples = [once() / documents * 1e9 for _ in range(5)]
    package = 'chdb' if what.startswith('ClickHouse') else 'pymongoarrow'
    version = importlib.metadata.version(package)
    print(json.dumps({'ns': sorted(samples)[2], 'version': f'chdb {version}' if package == 'chdb' else version}))


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
