/** A message that arrived in the sandbox, and what its recipient may do with it. */
import type { Data, RequestOptions } from './operation.ts';
import type { Transport } from './transport.ts';

type Message = Data<'GET /sandbox/messages/{id}'>;
type Action = 'open' | 'click' | 'unsubscribe' | 'bounce' | 'complain';

/** Everything goes through the same doors as the real thing; what it leads to follows as it does for real. */
class Recipient {
  readonly #api: Transport;
  readonly #message: Message;

  constructor(api: Transport, message: Message) {
    this.#api = api;
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

  async #act(action: Action, link: string | undefined, options: RequestOptions): Promise<string | null> {
    const { id } = this.#message;
    const body = link === undefined ? { action } : { action, link };
    const { leads_to } = await this.#api.data(
      'POST /sandbox/messages/{id}/actions',
      { params: { id }, body },
      options,
    );
    return leads_to;
  }
}

export type ReceivedMail = Message & Recipient;

export function receivedMail(api: Transport, message: Message): ReceivedMail {
  return Object.assign(new Recipient(api, message), message);
}
