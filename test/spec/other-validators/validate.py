"""Reads {schemas, examples} as JSON and prints which examples the package jsonschema accepts, in their order.

`jsonschema` checks the formats uuid and email by itself; date-time only beside another package, so it is left out.
"""

import json
import sys

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource

given = json.load(sys.stdin)
registry = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema)) for schema in given["schemas"].values()
)
validators = {}
for name, schema in given["schemas"].items():
    Draft202012Validator.check_schema(schema)
    validators[name] = Draft202012Validator(
        schema, registry=registry, format_checker=FormatChecker(formats=("uuid", "email"))
    )
json.dump([validators[name].is_valid(instance) for name, instance in given["examples"]], sys.stdout)
