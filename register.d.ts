/** Importing this module is what it is for: it exports nothing. */
export {}
