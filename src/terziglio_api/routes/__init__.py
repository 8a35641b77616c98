"""REST: what each address does, over the service and the wire."""
