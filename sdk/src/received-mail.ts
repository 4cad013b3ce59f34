/** A message in the sandbox inbox, with the actions of its recipient. */
import type { Body, Data, RequestOptions } from './operation.ts';
import type { Sandbox } from './resources/sandbox.ts';

type Message = Data<'GET /sandbox/messages/{id}'>;
type Action = Body<'POST /sandbox/messages/{id}/actions'>['action'];

/** The actions use the same endpoints as real recipients, so events and webhooks follow as in live mode. */
class Recipient {
  readonly #sandbox: Sandbox;
  readonly #message: Message;

  constructor(sandbox: Sandbox, message: Message) {
    this.#sandbox = sandbox;
    this.#message = message;
  }

  /** Opens the message: loads its pixel. */
  async open(options: RequestOptions = {}): Promise<void> {
    await this.#act('open', undefined, options);
  }

  /** Follows a link, by its URL or its text; the default is the first link. Returns the URL that the link leads to. */
  async click(link?: string, options: RequestOptions = {}): Promise<string> {
    const known = this.#message.links.find(({ url, text }) => url === link || text === link);
    return (await this.#act('click', known?.url ?? link, options)) ?? '';
  }

  /** Unsubscribes, like the button of a mail client. */
  async unsubscribe(options: RequestOptions = {}): Promise<void> {
    await this.#act('unsubscribe', undefined, options);
  }

  /** Bounces the message later, as a server that accepted it and then finds no mailbox. */
  async bounce(options: RequestOptions = {}): Promise<void> {
    await this.#act('bounce', undefined, options);
  }

  /** Reports the message as spam. */
  async complain(options: RequestOptions = {}): Promise<void> {
    await this.#act('complain', undefined, options);
  }

  /** Replies to the Reply-To address or the sender. `inbound.list` has the reply. */
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
