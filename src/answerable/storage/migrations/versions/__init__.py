"""One file a change of the schema, in order. What is there is never changed, only added to."""
