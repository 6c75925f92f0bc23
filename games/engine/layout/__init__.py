"""The places of cards on the screen: `islands` draws an island, `tags` the names of its rows,
`packing` puts islands on a felt, `table_layout` all on both felts."""
