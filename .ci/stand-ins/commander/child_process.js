// Commands that are programs of their own, of which pubctl has none. Node's own loads its networking as well: 11 ms of a help's
// 90 where Node itself starts in 61, and 2 of 26 where it starts in 16. test/project/bundle.test.ts holds that no help loads it.
module.exports = {}
