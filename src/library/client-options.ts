/** What a client of the library is made with. */
export interface ClientOptions {
  /** The address of the service without `/v1`: https, or http on this machine. */
  readonly baseUrl: string
  /** The API key. It is sent to `baseUrl` alone, and appears in no error. */
  readonly key: string
  /** How lists in a query travel: the name repeated, which is the default, or one value with commas. */
  readonly multiValue?: 'repeat' | 'comma' | undefined
  /** The longest wait for an answer, retries included, in milliseconds; two minutes by default. */
  readonly timeout?: number | undefined
  /** Where the variables of proxies are read, such as HTTPS_PROXY: usually `process.env`. Nowhere by default. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}
