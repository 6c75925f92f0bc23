"""deploy/kubernetes, read without a cluster and without network."""
