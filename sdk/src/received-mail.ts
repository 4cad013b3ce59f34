/** A message that arrived in the sandbox, and what its recipient may do with it. */
import type { Body, Data, RequestOptions } from './operation.ts';
import type { Sandbox } from './resources/sandbox.ts';

type Message = Data<'GET /sandbox/messages/{id}'>;
type Action = Body<'POST /sandbox/messages/{id}/actions'>['action'];

/** Everything goes through the same doors as the real thing; what it leads to follows as it does for real. */
class Recipient {
  readonly #sandbox: Sandbox;
  readonly #message: Message;

  constructor(sandbox: Sandbox, message: Message) {
    this.#sandbox = sandbox;
    this.#message = message;
  }

  /** Looks at it: its pixel is loaded. */
  async open(options: RequestOptions = {}): Promise<void> {
    await this.#act('open', undefined, options);
  }

  /** Follows a link, by its address or by what is written on it; the first one when not given. Gives where it leads. */
  async click(link?: string, options: RequestOptions = {}): Promise<string> {
    const known = this.#message.links.find(({ url, text }) => url === link || text === link);
    return (await this.#act('click', known?.url ?? link, options)) ?? '';
  }

  /** Presses the button of the mail program. */
  async unsubscribe(options: RequestOptions = {}): Promise<void> {
    await this.#act('unsubscribe', undefined, options);
  }

  /** Their server took it, and finds out now that there is no such mailbox. */
  async bounce(options: RequestOptions = {}): Promise<void> {
    await this.#act('bounce', undefined, options);
  }

  /** Says that it is spam. */
  async complain(options: RequestOptions = {}): Promise<void> {
    await this.#act('complain', undefined, options);
  }

  /** Answers it, to its Reply-To or its sender. It is received there as real answers are: see `inbound.list`. */
  async reply(text?: string, options: RequestOptions = {}): Promise<void> {
    const body = text === undefined ? {} : { text };
    await this.#sandbox.act(this.#message.id, { action: 'reply', ...body }, options);
  }

  async #act(action: Action, link: string | undefined, options: RequestOptions): Promise<string | null> {
    const body = link === undefined ? { action } : { action, link };
    return (await this.#sandbox.act(this.#message.id, body, options)).leads_to;
  }
}

export type ReceivedMail = Message & Recipient;

export function receivedMail(sandbox: Sandbox, message: Message): ReceivedMail {
  return Object.assign(new Recipient(sandbox, message), message);
}
