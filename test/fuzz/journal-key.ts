/** The file with the key by which a home knows what is its own in a journal. */
export const journalKey = { '.config/pubctl/secret.key': Buffer.from(`${'a'.repeat(64)}\n`) }
