/** A value of a record that cannot be used; the message is a clause such as "its ISBN 978… has a wrong check digit". */
export class BrokenRecord extends Error {}
