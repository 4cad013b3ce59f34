/** The search: a dialog, an index that is loaded when it is first opened, and nothing that leaves this site. */
import MiniSearch, { type SearchResult } from 'minisearch';
import { SEARCH_OPTIONS, search } from '../site/search-options.ts';

type Index = MiniSearch;

export function offerSearch(): void {
  const opener = document.querySelector<HTMLButtonElement>('[data-opens="search"]');
  if (!opener) return;
  const box = new SearchBox(document.body.dataset.root ?? '', lazily(loadIndex));
  opener.addEventListener('click', () => box.open());
  opener.hidden = false;
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    const isAsked = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isAsked && !isPalette) return;
    event.preventDefault();
    box.open();
  });
}

async function loadIndex(): Promise<Index> {
  const response = await fetch(document.body.dataset.search ?? '');
  if (!response.ok) throw new Error(`The search index was answered with ${response.status}.`);
  return MiniSearch.loadJSONAsync(await response.text(), SEARCH_OPTIONS as never);
}

/** What failed is tried again when it is next asked for. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

class SearchBox {
  readonly #root: string;
  readonly #index: () => Promise<Index>;
  readonly #dialog = document.createElement('dialog');
  readonly #input = document.createElement('input');
  readonly #list = document.createElement('div');
  readonly #status = document.createElement('p');
  #chosen = -1;

  constructor(root: string, index: () => Promise<Index>) {
    this.#root = root;
    this.#index = index;
    this.#furnish();
    this.#input.addEventListener('input', () => void this.#look());
    this.#input.addEventListener('keydown', (event) => this.#press(event));
    this.#dialog.addEventListener('click', (event) => {
      if (event.target === this.#dialog) this.#dialog.close();
    });
  }

  open(): void {
    if (this.#dialog.open) return;
    this.#dialog.showModal();
    this.#input.select();
    void this.#look();
  }

  #furnish(): void {
    this.#dialog.className = 'search';
    this.#dialog.setAttribute('aria-label', 'Search the documentation');
    this.#list.id = 'search-results';
    this.#list.setAttribute('role', 'listbox');
    this.#list.setAttribute('aria-label', 'Results');
    this.#status.setAttribute('role', 'status');
    const traits = {
      type: 'text',
      enterkeyhint: 'search',
      placeholder: 'Search',
      autocomplete: 'off',
      spellcheck: 'false',
      role: 'combobox',
      'aria-label': 'Search the documentation',
      'aria-controls': this.#list.id,
      'aria-expanded': 'false',
      'aria-autocomplete': 'list',
    };
    for (const [name, value] of Object.entries(traits)) this.#input.setAttribute(name, value);
    this.#dialog.append(this.#input, this.#status, this.#list);
    document.body.append(this.#dialog);
  }

  async #look(): Promise<void> {
    const wanted = this.#input.value.trim();
    try {
      const index = await this.#index();
      // Somebody who types on has asked for something else by now.
      if (wanted === this.#input.value.trim()) this.#show(wanted, search(index, wanted));
    } catch {
      this.#show('', []);
      this.#status.textContent = 'The search could not be loaded. Type again to try once more.';
    }
  }

  #show(wanted: string, results: readonly SearchResult[]): void {
    this.#list.replaceChildren(...results.map((result, at) => this.#item(result, at)));
    this.#input.setAttribute('aria-expanded', String(results.length > 0));
    const found = results.length === 0 ? `Nothing found for “${wanted}”.` : `${results.length} found`;
    this.#status.textContent = wanted === '' ? 'Type what you look for.' : found;
    this.#choose(results.length > 0 ? 0 : -1);
  }

  /** A link, so that it also opens in another tab. */
  #item(result: SearchResult, at: number): HTMLAnchorElement {
    const link = document.createElement('a');
    link.id = `search-result-${at}`;
    link.href = this.#root + String(result.id);
    link.tabIndex = -1;
    link.setAttribute('role', 'option');
    const part = (name: string, text: string) => {
      const span = document.createElement('span');
      span.className = name;
      span.textContent = text;
      return span;
    };
    const place = [result.section, result.title].filter((one) => one !== '').join(' › ');
    link.append(part('found-in', place));
    link.append(part('found', result.heading === '' ? result.title : result.heading));
    link.append(part('excerpt', result.excerpt));
    link.addEventListener('click', () => this.#dialog.close());
    return link;
  }

  #press(event: KeyboardEvent): void {
    const count = this.#list.children.length;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (count > 0) this.#choose((this.#chosen + (event.key === 'ArrowDown' ? 1 : count - 1)) % count);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      (this.#list.children[this.#chosen] as HTMLElement | undefined)?.click();
    }
  }

  #choose(at: number): void {
    this.#chosen = at;
    for (const [index, item] of [...this.#list.children].entries()) {
      item.setAttribute('aria-selected', String(index === at));
      if (index === at) item.scrollIntoView({ block: 'nearest' });
    }
    if (at >= 0) this.#input.setAttribute('aria-activedescendant', `search-result-${at}`);
    else this.#input.removeAttribute('aria-activedescendant');
  }
}
