"""A Spark data source for BSON dumps: spark.read.format("qbson").load("dump.bson")

Ranges of the dump are the partitions. A task runs `qbson to-arrow --stream` on its range and hands the record batches to
Spark: no JSON, and no rows in Python. Needs Spark 4 with PyArrow, and Node.js with qbson on all machines.

    import qbson_spark
    qbson_spark.register(spark)
    orders = spark.read.format("qbson").option("ns", "shop.orders").load("dump/")
"""

import json
import logging
import os
import shlex
import subprocess
import sys
import tempfile
import warnings

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

#: Exit code of the command when documents were left out (`keepGoing`) or could not be read.
BAD_DATA = 1

#: Options of the command that are passed on as they are, by the option of the data source.
PASSED_ON = {"ns": "--ns", "match": "--match", "fields": "--fields", "json": "--json", "unwind": "--unwind",
             "ids": "--ids", "decimals": "--decimals"}

#: All options; Spark gives their names in lower case.
KNOWN = {name.lower() for name in PASSED_ON} | {"path", "paths", "schema", "sample", "rangesize", "keepgoing", "casesensitive", "command"}


def register(spark):
    """Makes the format "qbson" known, also to executors that do not have this file."""
    from pyspark import cloudpickle
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(QbsonDataSource)


class QbsonError(RuntimeError):
    """What the command said when it failed."""


class Command:
    """The command, with the options that every call of it gets."""

    def __init__(self, text):
        self.words = shlex.split(text)

    def start(self, *arguments, **how):
        try:
            return subprocess.Popen([*self.words, *arguments], **how)
        except FileNotFoundError as error:
            raise QbsonError(f'{self.words[0]} is not on this machine: install Node.js and qbson, or set the option "command" '
                             'or the variable QBSON, such as QBSON="node /opt/qbson/bin/qbson.js"') from error

    def output(self, *arguments, accepted=(0,)):
        process = self.start(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        output, errors = process.communicate()
        if process.returncode not in accepted:
            raise QbsonError(message_of(errors, arguments))
        return output


def message_of(errors, arguments):
    return errors.decode(errors="replace").strip() or f"qbson {shlex.join(arguments)} failed and said nothing"


def portable(kind, renamed):
    """The type for Spark of a type of Arrow. `renamed` gets the names of fields that differ from another by case only."""
    import pyarrow as pa
    if pa.types.is_struct(kind):
        return pa.struct(fields_of(kind, renamed))
    if pa.types.is_map(kind):
        return pa.map_(portable(kind.key_type, renamed), portable(kind.item_type, renamed))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return pa.list_(portable(kind.value_type, renamed))
    if pa.types.is_dictionary(kind):
        return portable(kind.value_type, renamed)
    if pa.types.is_fixed_size_binary(kind) or pa.types.is_large_binary(kind):
        return pa.binary()
    if pa.types.is_unsigned_integer(kind):
        return pa.int16() if kind.bit_width == 8 else pa.decimal128(20, 0) if kind.bit_width == 64 else pa.int64()
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", tz="UTC")
    if pa.types.is_null(kind) or pa.types.is_large_string(kind):
        return pa.string()
    return kind


def fields_of(struct, renamed):
    """The fields of a struct or a schema, with names that differ by more than case unless `renamed` is None."""
    import pyarrow as pa
    taken, fields = set(), []
    for field in struct:
        name, count = field.name, 1
        while renamed is not None and name.lower() in taken:
            count += 1
            name = f"{field.name}_{count}"
        if name != field.name:
            renamed.append((field.name, name))
        taken.add(name.lower())
        fields.append(pa.field(name, portable(field.type, renamed), True))
    return fields


def converted(array, kind):
    """An array as a portable type. Structs and lists are taken apart, because a cast cannot rename fields."""
    import pyarrow as pa
    if array.type == kind:
        return array
    if pa.types.is_dictionary(array.type):
        return converted(array.dictionary_decode(), kind)
    if pa.types.is_null(array.type):
        return pa.nulls(len(array), kind)
    if pa.types.is_struct(array.type):
        fields = [kind.field(i) for i in range(kind.num_fields)]
        columns = [converted(array.field(i), field.type) for i, field in enumerate(fields)]
        return pa.StructArray.from_arrays(columns, fields=fields, mask=array.is_null())
    if pa.types.is_map(array.type):
        keys, items = converted(array.keys, kind.key_type), converted(array.items, kind.item_type)
        return pa.MapArray.from_arrays(offsets_of(array), keys, items, kind)
    if pa.types.is_list(array.type):
        return pa.ListArray.from_arrays(offsets_of(array), converted(array.values, kind.value_type), type=kind)
    return array.cast(kind)


def offsets_of(array):
    """The offsets of a list or map, null where the list is null."""
    import pyarrow as pa
    import pyarrow.compute as pc
    if array.null_count == 0:
        return array.offsets
    valid = pa.concat_arrays([array.is_valid(), pa.array([True])])
    return pc.if_else(valid, array.offsets, pa.scalar(None, pa.int32()))


class QbsonDataSource(DataSource):
    """The options are in the README beside this file."""

    @classmethod
    def name(cls):
        return "qbson"

    def __init__(self, options):
        super().__init__(options)
        unknown = [name for name in options if name.lower() not in KNOWN]
        if unknown:
            raise ValueError(f"unknown option {unknown[0]}: there are {', '.join(sorted(KNOWN))}")
        paths = json.loads(options["paths"]) if "paths" in options else [options["path"]] if "path" in options else []
        if not paths:
            raise ValueError('a path is missing: spark.read.format("qbson").load("dump.bson")')
        self.paths = [os.path.abspath(path.removeprefix("file://")) for path in paths]  # executors run in another folder
        self.command = Command(options.get("command") or os.environ.get("QBSON") or "npx qbson")
        self.arguments = [word for name, flag in PASSED_ON.items() if options.get(name) for word in (flag, options[name])]
        self.keeps_going = options.get("keepGoing", "false").lower() == "true"
        self.found = None

    def going(self):
        return ["--keep-going"] if self.keeps_going else []

    def accepted(self):
        return (0, BAD_DATA) if self.keeps_going else (0,)

    def statistics(self):
        """What the columns need to know, as text: as given, or of all documents."""
        given = self.options.get("schema")
        if given is not None:
            if given.lstrip().startswith("{"):
                return given
            with open(os.path.abspath(given), encoding="utf-8") as file:
                return file.read()
        sample = ["--limit", self.options["sample"]] if self.options.get("sample") else []
        forms = {"--ids", "--decimals"}
        chosen = [word for flag, value in zip(self.arguments[::2], self.arguments[1::2]) if flag not in forms for word in (flag, value)]
        return self.command.output("schema", "--statistics", *self.going(), *chosen, *sample, *self.paths, accepted=self.accepted()).decode()

    def schemas(self):
        """What `qbson schema --statistics` says, and the schema for Spark. Found once: Spark keeps this object."""
        if self.found is None:
            statistics = self.statistics()
            self.found = statistics, self.spark_schema(statistics)
        return self.found

    def spark_schema(self, statistics):
        import pyarrow as pa
        with schema_file(statistics) as file:
            arguments = ["to-arrow", "--stream", "--limit", "1", "--schema", file.name, *self.going(), *self.arguments, *self.paths]
            arrow = pa.ipc.open_stream(self.command.output(*arguments, accepted=self.accepted())).schema
        renamed = None if self.options.get("caseSensitive", "false").lower() == "true" else []
        fields = fields_of(arrow, renamed)
        for before, after in renamed or []:
            warnings.warn(f"the field {before} is the column {after}: its name differs from another by case only")
        return pa.schema(fields)

    def schema(self):
        from pyspark.sql.pandas.types import from_arrow_schema
        return from_arrow_schema(self.schemas()[1])

    def reader(self, schema):
        return QbsonReader(self, *self.schemas())


class Range(InputPartition):
    def __init__(self, text):
        self.text = text


class QbsonReader(DataSourceReader):
    def __init__(self, source, statistics, schema):
        self.source, self.statistics, self.schema = source, statistics, schema
        self.query = None

    def pushFilters(self, filters):
        """Lets the command leave out documents that Spark's filters leave out anyway; Spark still checks the rest."""
        fields = dict(json.loads(self.statistics).get("columns", {}).get("fields", []))
        conditions = [condition for condition in (condition_of(each, fields) for each in filters) if condition]
        self.query = {"$and": conditions} if conditions and "match" not in self.source.options else None
        return filters

    def partitions(self):
        source = self.source
        chosen = ["--ns", source.options["ns"]] if source.options.get("ns") else []
        size = source.options.get("rangeSize", "64MB")
        return [Range(line) for line in source.command.output("split", "--size", size, *chosen, *source.paths).decode().splitlines()]

    def read(self, partition):
        import pyarrow as pa
        source = self.source
        match = ["--match", json.dumps(self.query)] if self.query else []
        with schema_file(self.statistics) as file, tempfile.TemporaryFile() as errors:
            arguments = ["to-arrow", "--stream", "--schema", file.name, "--range", partition.text, *source.going(), *source.arguments, *match, *source.paths]
            task = source.command.start(*arguments, stdout=subprocess.PIPE, stderr=errors)
            try:
                failure = None
                try:
                    with pa.ipc.open_stream(task.stdout) as stream:
                        for batch in stream:
                            columns = [converted(batch.column(i), field.type) for i, field in enumerate(self.schema)]
                            yield pa.RecordBatch.from_arrays(columns, schema=self.schema)
                except pa.ArrowInvalid as error:  # the command has ended too early, and says why
                    failure = error
                code = task.wait()
            finally:
                task.kill()
                task.wait()
            errors.seek(0)
            said = message_of(errors.read(), arguments)
            if code not in source.accepted() or failure is not None:
                raise QbsonError(f"range {partition.text}: {said}") from failure
            if code == BAD_DATA:
                logging.getLogger("qbson").warning("range %s: %s", partition.text, said)


def schema_file(text):
    file = tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8")
    file.write(text)
    file.flush()
    return file


#: Comparisons of Spark's filters, as operators of MongoDB.
OPERATORS = {"EqualTo": "$eq", "GreaterThan": "$gt", "GreaterThanOrEqual": "$gte", "LessThan": "$lt", "LessThanOrEqual": "$lte"}

#: Fields of these types alone compare in MongoDB as their columns do in Spark.
COMPARABLE = {"int": (int, float), "long": (int, float), "string": (str,), "bool": (bool,)}


def condition_of(each, fields):
    """A query that every document matches which the filter keeps, or None."""
    operator = OPERATORS.get(type(each).__name__)
    if operator is None or len(each.attribute) != 1:
        return None
    name, value = each.attribute[0], each.value
    types = [kind for kind in fields.get(name, {}).get("types", []) if kind not in ("null", "undefined")]
    if len(types) != 1 or type(value) not in COMPARABLE.get(types[0], ()) or name.startswith("$") or "." in name:
        return None
    return {name: {operator: value}}
