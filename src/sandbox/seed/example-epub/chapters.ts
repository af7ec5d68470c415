/** A chapter of the example book, as XHTML within the body. */
export interface Chapter {
  title: string
  body: string
}

export const chapters: readonly Chapter[] = [
  {
    title: 'What You Are Holding',
    body: `
    <p>This book was not written to be sold. It was written to be uploaded. It is small enough to travel in a blink and
    complete enough to be real: it has a title, an author, a language, a cover and a table of contents, and any reading
    application will open it.</p>
    <p>A publisher’s first upload is seldom about the book. It is about the questions around it. Is my key right? Does
    the service understand this file? What does it make of the title, and where does the cover come from? How long until
    it can be read? It is kinder to ask these questions with a book that nobody is waiting for.</p>
    <p>So here is one. Send it as often as you like.</p>`,
  },
  {
    title: 'What Happens When It Is Sent',
    body: `
    <p>First pubctl reads the file on your own machine. It looks into the package document for the title, the authors and
    the language, and it finds the cover. Nothing has been sent yet.</p>
    <p>Then it asks the service for a place to put the book. The service answers with a publication, which has an
    identifier from now on, and with an address that is good for a short time and for this one file.</p>
    <p>The file goes to that address whole. While it arrives, its state is <em>upload_pending</em>. Once it is there it is
    <em>uploaded</em>, and the service looks at it: at every byte for what could do harm, and at the contents for what the
    book says of itself. A book that passes is <em>available</em>, and that is the end of the story. One that could do
    harm ends as <em>upload_quarantine</em>, and one that cannot be read as <em>upload_failed</em>. These three are final.</p>
    <p>pubctl waits for one of them and tells you which it was, in words for a person and in an exit code for a
    script.</p>`,
  },
  {
    title: 'Where to Go from Here',
    body: `
    <p>In the sandbox nothing can be broken. It is the whole service in miniature, it lives in a folder of your own
    machine, and it speaks to nobody else.</p>
    <p>See what is there:</p>
    <pre>pubctl publications list --profile sandbox</pre>
    <p>Send a book of your own:</p>
    <pre>pubctl publications upload my-book.epub --profile sandbox</pre>
    <p>Start over with a clean desk:</p>
    <pre>pubctl sandbox reset</pre>
    <p>And when you have an address and a key for the service itself, tell pubctl once:</p>
    <pre>pubctl profile setup</pre>
    <p>From then on the same commands, without <em>--profile sandbox</em>, work where your readers are.</p>`,
  },
]
