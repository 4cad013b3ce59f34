/** Parses server-sent events from the bytes of a response, according to the HTML standard. */

export interface ServerSentEvent {
  readonly id: string | undefined;
  /** Null if the message has only an id, which shows the position in the stream. */
  readonly data: string | null;
}

/** Ends with the stream. Fails if no byte arrives for this time, because a connection can break without notice. */
export async function* readServerSentEvents(
  stream: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read());
      if (done) return;
      text += decoder.decode(value, { stream: true });
      // A CR at the very end may be half of a CRLF.
      const blocks = text.replace(/\r\n|\r(?!$)/g, '\n').split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield* eventIn(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function* eventIn(block: string): Generator<ServerSentEvent> {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === 'id') id = value;
    if (name === 'data') data.push(value);
  }
  if (data.length > 0) yield { id, data: data.join('\n') };
  else if (id !== undefined) yield { id, data: null };
}

function within<T>(timeMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Nothing came for ${timeMs} ms.`)), timeMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
