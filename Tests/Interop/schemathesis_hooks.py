"""What schemathesis calls wrong and is right: values in the bodies of the tables.

PostgreSQL takes a value of JSON by its text, so that a number or a truth value is a text for a column of texts, and "7",
"true" and 0 are values of columns of numbers and truth values where they read as such; PostgREST promises as much, and
CSV has nothing but texts. Its kind of description has no way to say so. Lists and objects are no such values.
"""

import schemathesis


def _is_scalar(value):
    return isinstance(value, (str, int, float, bool))


@schemathesis.hook
def filter_case(context, case):
    meta = case.meta
    if meta is None or not meta.generation.mode.is_negative or not isinstance(case.body, dict):
        return True
    kinds = {"string": str, "boolean": bool, "integer": int, "number": (int, float)}
    for parameter in case.operation.body:
        properties = parameter.definition.get("schema", parameter.definition).get("properties", {})
        for name, value in case.body.items():
            schema = properties.get(name)
            kind = kinds.get(schema.get("type")) if isinstance(schema, dict) else None
            if kind is None or not _is_scalar(value):
                continue
            is_right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
            if not is_right:
                return False
    return True
