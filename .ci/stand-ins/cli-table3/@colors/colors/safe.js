// Colours of heads and borders. pubctl's own tables have colours of their own, and no borders.
module.exports = {}
