"""Children's names from files: bytes → grid → columns → pupils → changes. `file_process` reads them
apart from the site, so no module but `reading` imports Django."""
