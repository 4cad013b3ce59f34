/**
 * The tokens of a template as a tree of HTML elements and Handlebars blocks. A block whose tags cut through elements is
 * no node: its tags are loose tokens among the others.
 */
import type { CloseToken, OpenToken, OtherToken, Range, TagToken, TextToken, Token } from './tokens.ts';

export interface ElementNode extends Range {
  readonly kind: 'element';
  readonly open: OpenToken;
  readonly children: readonly Node[];
  /** Null where the end tag is missing. */
  readonly close: CloseToken | null;
}

/** `{{#if}}…{{else}}…{{/if}}`: each branch begins with its tag. */
export interface BlockNode extends Range {
  readonly kind: 'block';
  readonly branches: readonly { readonly tag: TagToken; readonly children: readonly Node[] }[];
  readonly close: TagToken;
}

export type Node = ElementNode | BlockNode | TextToken | TagToken | OtherToken | CloseToken;

/** Null for elements that are nested too deep. */
export function readTree(tokens: readonly Token[]): readonly Node[] | null {
  const roles = nestedBlocks(tokens);
  return roles === null ? null : new TreeBuilder(roles).build(tokens);
}

const MAX_DEPTH = 200;

const VOID = new Set(
  'area base basefont br col embed frame hr img input link meta param source track wbr'.split(' '),
);
/** No end tag closes an element outside of the table or the cell that the end tag is in. */
const SCOPES = new Set(['table', 'td', 'th', 'caption']);
const TABLE_PARTS = new Set('table tbody thead tfoot tr td th caption colgroup'.split(' '));

interface HandlebarsBlock {
  readonly open: TagToken;
  readonly elses: TagToken[];
  close: TagToken | null;
}

type Role = { readonly block: HandlebarsBlock; readonly part: 'open' | 'else' | 'close' };

/** The role of every tag that belongs to a block with whole elements in each of its branches. */
function nestedBlocks(tokens: readonly Token[]): Map<Token, Role> | null {
  const roles = pairedTags(tokens);
  const cut = blocksThatCutElements(tokens, roles);
  if (cut === null) return null;
  for (const [token, { block }] of roles) if (block.close === null || cut.has(block)) roles.delete(token);
  return roles;
}

function pairedTags(tokens: readonly Token[]): Map<Token, Role> {
  const roles = new Map<Token, Role>();
  const stack: HandlebarsBlock[] = [];
  for (const token of tokens) {
    if (token.kind !== 'template') continue;
    const { kind, name } = token.tag;
    const block = stack.at(-1);
    if (kind === 'open') {
      const opened: HandlebarsBlock = { open: token, elses: [], close: null };
      stack.push(opened);
      roles.set(token, { block: opened, part: 'open' });
    } else if (block && (kind === 'else' || kind === 'else-chain')) {
      block.elses.push(token);
      roles.set(token, { block, part: 'else' });
    } else if (block && kind === 'close' && block.open.tag.name === name) {
      stack.pop();
      block.close = token;
      roles.set(token, { block, part: 'close' });
    }
  }
  return roles;
}

function blocksThatCutElements(
  tokens: readonly Token[],
  roles: ReadonlyMap<Token, Role>,
): Set<HandlebarsBlock> | null {
  const cut = new Set<HandlebarsBlock>();
  const stack: (string | HandlebarsBlock)[] = [];
  for (const token of tokens) {
    const role = roles.get(token);
    if (stack.length > MAX_DEPTH) return null;
    if (token.kind === 'open' && !VOID.has(token.name)) stack.push(token.name);
    else if (token.kind === 'close') {
      const found = matchOf(token.name, stack);
      for (const entry of found < 0 ? [] : stack.splice(found)) if (typeof entry !== 'string') cut.add(entry);
    } else if (role?.part === 'open') stack.push(role.block);
    else if (role && stack.at(-1) !== role.block) {
      cut.add(role.block);
      const marker = stack.indexOf(role.block);
      if (marker >= 0) stack.splice(marker, 1);
    } else if (role?.part === 'close') stack.pop();
  }
  return cut;
}

/** Where the element is that an end tag closes; -1 for an end tag without an element. */
function matchOf(name: string, stack: readonly unknown[]): number {
  for (let at = stack.length - 1; at >= 0; at -= 1) {
    const entry = stack[at];
    if (entry === name) return at;
    if (typeof entry === 'string' && SCOPES.has(entry) && !TABLE_PARTS.has(name)) return -1;
  }
  return -1;
}

interface OpenElement {
  readonly open: OpenToken;
  readonly children: Node[];
}

interface OpenBlock {
  readonly branches: { readonly tag: TagToken; readonly children: Node[] }[];
}

class TreeBuilder {
  readonly #roles: ReadonlyMap<Token, Role>;
  readonly #root: Node[] = [];
  readonly #stack: (OpenElement | OpenBlock)[] = [];

  constructor(roles: ReadonlyMap<Token, Role>) {
    this.#roles = roles;
  }

  build(tokens: readonly Token[]): readonly Node[] {
    for (const token of tokens) this.#add(token);
    const end = tokens.at(-1)?.end ?? 0;
    while (this.#stack.length > 0) this.#endElement(null, end);
    return this.#root;
  }

  #add(token: Token): void {
    if (token.kind === 'open') this.#addOpen(token);
    else if (token.kind === 'close') this.#addClose(token);
    else if (token.kind === 'template') this.#addTag(token);
    else this.#children().push(token);
  }

  #addOpen(open: OpenToken): void {
    const { start, end } = open;
    if (VOID.has(open.name))
      this.#children().push({ kind: 'element', start, end, open, children: [], close: null });
    else this.#stack.push({ open, children: [] });
  }

  #addClose(close: CloseToken): void {
    const names = this.#stack.map((entry) => ('open' in entry ? entry.open.name : null));
    const found = matchOf(close.name, names);
    if (found < 0) {
      this.#children().push(close);
      return;
    }
    while (this.#stack.length > found + 1) this.#endElement(null, close.start);
    this.#endElement(close, close.end);
  }

  #addTag(tag: TagToken): void {
    const role = this.#roles.get(tag);
    const block = this.#stack.at(-1);
    if (role?.part === 'open') this.#stack.push({ branches: [{ tag, children: [] }] });
    else if (!role || !block || !('branches' in block)) this.#children().push(tag);
    else if (role.part === 'else') block.branches.push({ tag, children: [] });
    else {
      this.#stack.pop();
      const { start } = role.block.open;
      this.#children().push({
        kind: 'block',
        start,
        end: tag.end,
        branches: block.branches,
        close: tag,
      });
    }
  }

  #endElement(close: CloseToken | null, end: number): void {
    const entry = this.#stack.pop();
    if (!entry || !('open' in entry)) return;
    const { open, children } = entry;
    this.#children().push({ kind: 'element', start: open.start, end, open, children, close });
  }

  #children(): Node[] {
    const entry = this.#stack.at(-1);
    if (!entry) return this.#root;
    return 'open' in entry ? entry.children : (entry.branches.at(-1)?.children ?? this.#root);
  }
}
