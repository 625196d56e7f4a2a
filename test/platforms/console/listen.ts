/** Reads server-sent events one after another, as a test awaits them. */
export interface Heard {
  readonly event: string;
  readonly id?: string;
  readonly data: unknown;
}

export async function listen(url: string, headers: Record<string, string> = {}) {
  const line = new AbortController();
  const response = await fetch(url, { headers, signal: line.signal });
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  return {
    response,
    /** The next event; undefined at the end of the stream. */
    async next(): Promise<Heard | undefined> {
      for (;;) {
        const end = rest.indexOf('\n\n');
        if (end >= 0) {
          const fields = new Map(
            rest
              .slice(0, end)
              .split('\n')
              .map((text) => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 2)]),
          );
          rest = rest.slice(end + 2);
          const data = fields.get('data') ?? '';
          const id = fields.get('id');
          return {
            event: fields.get('event') ?? '',
            data: data.startsWith('{') ? JSON.parse(data) : data,
            ...(id === undefined ? {} : { id }),
          };
        }
        const { done, value } = await reader.read();
        if (done) return undefined;
        rest += value;
      }
    },
    close: () => line.abort(),
  };
}
