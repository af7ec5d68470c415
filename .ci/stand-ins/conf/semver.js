// Versions of the file, which has no migrations.
module.exports = {}
