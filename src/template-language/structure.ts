/** Checks that blocks open and close in order. Reads tags only, so that every mistake is found. */
import { nearestName } from '../runtime/nearest-name.ts';
import { shown } from './hints.ts';
import { PART_LIMITS } from './limits.ts';
import type { SourceFinding, TemplateTag } from './scan.ts';
import type { Place, ProblemCode } from './tree.ts';

export type Structure = {
  readonly findings: readonly SourceFinding[];
  readonly exceeded: SourceFinding | null;
};

export function checkStructure(tags: readonly TemplateTag[]): Structure {
  const blocks = new OpenBlocks();
  for (const tag of tags) {
    if (tag.kind === 'open') blocks.open(tag);
    else if (tag.kind === 'close') blocks.close(tag);
    else if (tag.kind === 'else' || tag.kind === 'else-chain') blocks.divide(tag);
    if (blocks.exceeded !== null || blocks.findings.length > PART_LIMITS.problems) break;
  }
  if (blocks.exceeded === null) blocks.end();
  return blocks;
}

type OpenBlock = { readonly tag: TemplateTag; links: number; hasElse: boolean };

class OpenBlocks implements Structure {
  readonly findings: SourceFinding[] = [];
  exceeded: SourceFinding | null = null;
  readonly #stack: OpenBlock[] = [];

  open(tag: TemplateTag): void {
    this.#stack.push({ tag, links: 0, hasElse: false });
    if (this.#stack.length > PART_LIMITS.nesting) {
      this.#exceed(`Blocks may be nested ${PART_LIMITS.nesting} deep; this is one too many.`, tag.place);
    }
  }

  divide(tag: TemplateTag): void {
    const block = this.#stack.at(-1);
    if (!block) {
      this.#find(
        'misplaced_else',
        '{{else}} stands outside of any block: put it between {{#if …}} and {{/if}}.',
        tag,
      );
      return;
    }
    if (block.hasElse) {
      const what = `{{#${shown(block.tag.name)}}} from ${at(block.tag.place)} has an {{else}} already`;
      this.#find('misplaced_else', `${what}: only {{else if …}} may come more than once, before it.`, tag);
    }
    if (tag.kind === 'else') block.hasElse = true;
    else block.links += 1;
    if (block.links > PART_LIMITS.chain) {
      this.#exceed(`A block may have ${PART_LIMITS.chain} {{else if}}; this is one too many.`, tag.place);
    }
  }

  close(tag: TemplateTag): void {
    const top = this.#stack.at(-1);
    if (!top) {
      this.#find(
        'unexpected_close',
        `{{/${shown(tag.name)}}} closes nothing: there is no open block here. Remove it.`,
        tag,
      );
      return;
    }
    const index = this.#stack.findLastIndex((block) => block.tag.name === tag.name);
    if (index >= 0) {
      for (const block of this.#stack.splice(index).slice(1)) this.#neverClosed(block.tag, tag);
      return;
    }
    const expected = `{{/${shown(top.tag.name)}}}`;
    const opened = `{{#${shown(top.tag.name)}}} from ${at(top.tag.place)}`;
    this.#find(
      'unexpected_close',
      `{{/${shown(tag.name)}}} does not match ${opened}: write ${expected}.`,
      tag,
    );
    // A misspelt closing tag is one mistake, not a second one for an unclosed block.
    if (tag.name === '' || nearestName(tag.name, [top.tag.name]) !== undefined) this.#stack.pop();
  }

  end(): void {
    for (const block of this.#stack) this.#neverClosed(block.tag, null);
  }

  #neverClosed(tag: TemplateTag, before: TemplateTag | null): void {
    const where = before === null ? '' : ` before {{/${shown(before.name)}}} at ${at(before.place)}`;
    this.#find(
      'unclosed_block',
      `{{#${shown(tag.name)}}} is never closed${where}: add {{/${shown(tag.name)}}}.`,
      tag,
    );
  }

  #find(code: ProblemCode, message: string, tag: TemplateTag): void {
    this.findings.push({ code, message, place: tag.place });
  }

  #exceed(message: string, place: Place): void {
    this.exceeded = { code: 'too_complex', message, place };
  }
}

function at(place: Place): string {
  return `${place.line}:${place.column}`;
}
