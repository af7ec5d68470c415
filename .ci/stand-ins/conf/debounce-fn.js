// Watching of the file, which pubctl does not do.
module.exports = {}
