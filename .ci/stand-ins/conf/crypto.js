// Encryption of the file, which pubctl does not use.
module.exports = {}
