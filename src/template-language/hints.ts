/** Error messages for unknown names, mainly for users who come from another service. */
import { nearestName } from '../runtime/nearest-name.ts';
import { HELPER_NAMES, helper, isHelperName } from './helpers.ts';

const BLOCK_NAMES = ['if', 'unless', 'each', 'with'] as const;

/** Names with a meaning in Handlebars, which cannot be variables. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([...BLOCK_NAMES, 'else', 'log', 'lookup']);

const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ['uppercase', 'write {{upper text}}'],
  ['toUpperCase', 'write {{upper text}}'],
  ['lowercase', 'write {{lower text}}'],
  ['toLowerCase', 'write {{lower text}}'],
  ['title', 'write {{capitalize text}}'],
  ['titlecase', 'write {{capitalize text}}'],
  ['capitalizeFirst', 'write {{capitalize text}}'],
  ['count', 'write {{length list}}'],
  ['size', 'write {{length list}}'],
  ['date', 'write {{formatDate date "D MMMM YYYY"}}'],
  ['dateFormat', 'write {{formatDate date "D MMMM YYYY"}}'],
  ['moment', 'write {{formatDate date "D MMMM YYYY"}}'],
  ['is', 'write {{#if (eq a b)}}'],
  ['isnt', 'write {{#if (ne a b)}}'],
  ['ifEquals', 'write {{#equals a b}}'],
  ['ifEq', 'write {{#equals a b}}'],
  ['ifeq', 'write {{#equals a b}}'],
  ['unlessEquals', 'write {{#notEquals a b}}'],
  ['compare', 'write {{#if (eq a b)}}, or ne, gt, lt, gte, lte'],
  ['ifCond', 'write {{#if (eq a b)}}, or ne, gt, lt, gte, lte'],
  ['iff', 'write {{#if (eq a b)}}, or ne, gt, lt, gte, lte'],
  ['greaterThanOrEqual', 'write {{#if (gte a b)}}'],
  ['lessThanOrEqual', 'write {{#if (lte a b)}}'],
  ['elseif', 'write {{else if …}}'],
  ['elsif', 'write {{else if …}}'],
  ['elif', 'write {{else if …}}'],
  ['endif', 'write {{/if}}'],
  ['endeach', 'write {{/each}}'],
  ['endfor', 'write {{/each}}'],
  ['for', 'write {{#each list}}…{{/each}}'],
  ['foreach', 'write {{#each list}}…{{/each}}'],
  ['lookup', 'write the path: {{items.0.name}}, {{user.name}}'],
  ['log', 'remove it; a preview shows what the data is'],
  ['include', 'write {{> name}} for the partial with this alias'],
  ['partial', 'write {{> name}} for the partial with this alias'],
  ['json', 'print the single values: {{user.name}}'],
  ['url', 'encode it before you send the data'],
  ['striptags', 'remove tags before you send the data'],
]);

/** Words from other languages that are neither a block nor a helper here: `{{endif}}`. */
export function isForeignWord(name: string): boolean {
  return /^(else?s?if|elif|end(if|each|for|unless|with))$/i.test(name);
}

/** `words` is the content of the tag if it could be one name: `first name`. */
export function aboutUnknownHelper(name: string, words: string | null): string {
  const replacement = REPLACEMENTS.get(name);
  if (replacement !== undefined) return `There is no helper "${shown(name)}": ${replacement}.`;
  if ((BLOCK_NAMES as readonly string[]).includes(name)) {
    return `${name} is a block: write {{#${name} …}}…{{/${name}}}.`;
  }
  const near = nearestName(name, HELPER_NAMES);
  if (near !== undefined && isHelperName(near)) {
    return `There is no helper "${shown(name)}". Did you mean {{${helper(near).usage}}}?`;
  }
  const advice = words === null ? '' : ` If it is one name with spaces, write {{[${shown(words)}]}}.`;
  return `There is no helper "${shown(name)}".${advice} Helpers: ${HELPER_NAMES.join(', ')}.`;
}

export function aboutUnknownBlock(name: string, hasArguments: boolean): string {
  const replacement = REPLACEMENTS.get(name);
  if (replacement !== undefined) return `There is no block {{#${shown(name)}}}: ${replacement}.`;
  if (isHelperName(name)) {
    return `${name} gives a value and cannot be a block: write {{#if (${helper(name).usage})}}.`;
  }
  const conditions = HELPER_NAMES.filter((one) => helper(one).isCondition);
  const near = nearestName(name, [...BLOCK_NAMES, ...conditions]);
  if (near !== undefined && (hasArguments || name.length > 3)) {
    return `There is no block {{#${shown(name)}}}. Did you mean {{#${near} …}}?`;
  }
  if (hasArguments) {
    return `There is no block {{#${shown(name)}}}. Blocks: ${[...BLOCK_NAMES, ...conditions].join(', ')}.`;
  }
  return `Sections like {{#${shown(name)}}} are not supported: write {{#each ${shown(name)}}} to repeat, {{#if ${shown(name)}}} to test, {{#with ${shown(name)}}} to go into an object.`;
}

export function shown(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
