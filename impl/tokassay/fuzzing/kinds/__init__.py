"""Classes of texts, found by name: every function ``kind_*`` in a module of this folder is one."""
