"""Prints an API document without the request bodies that are NDJSON.

openapi-python-client 0.29 knows no name for them, and generates code that does not run for an operation
that takes either of two bodies.
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
for item in document["paths"].values():
    for operation in item.values():
        operation.get("requestBody", {}).get("content", {}).pop("application/x-ndjson", None)
json.dump(document, sys.stdout)
