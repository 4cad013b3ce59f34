import { expect, it } from 'vitest';
import { differences, Shapes } from './shape.ts';

const whole = { isShortened: false };
const part = { isShortened: true };

it('fields that are missing, new, or of another type are differences', () => {
  const answer = { data: { id: 'a', count: 1, at: null } };
  expect(differences({ data: { id: 'b', count: 2, at: 'now' } }, answer, whole)).toEqual([]);
  expect(differences({ data: { id: 'b', count: '2', at: null } }, answer, whole)).toHaveLength(1);
  expect(differences({ data: { id: 'b', count: 2 } }, answer, whole)).toEqual(['.data.at is not shown']);
  expect(differences({ data: { id: 'b' } }, answer, part)).toEqual([]);
  expect(differences({ data: { name: 'b' } }, answer, part)).toEqual(['.data.name is shown and not there']);
});

it('a reason or a type must be right to the letter', () => {
  expect(differences({ reason: 'accepted' }, { reason: 'greylisted' }, whole)).toHaveLength(1);
  expect(differences([{ type: 'opened' }], [{ type: 'queued' }, { type: 'opened' }], whole)).toEqual([]);
  expect(differences([{ type: 'opened' }], [], whole)).toHaveLength(1);
});

it('a schema knows what may be null, which words there are, and what belongs to it', () => {
  const shapes = new Shapes({
    Site: {
      type: 'object',
      properties: {
        state: { type: 'string', enum: ['open', 'slow'] },
        since: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        note: { type: 'string' },
      },
      required: ['state', 'since'],
    },
    Board: { type: 'object', properties: { sites: { type: 'array', items: { $ref: '#/x/Site' } } } },
  });
  const against = (shown: object) => shapes.differences(shown, shapes.named('Board'), whole);
  expect(against({ sites: [{ state: 'open', since: null }] })).toEqual([]);
  expect(against({ sites: [{ state: 'shut', since: null }] })).toHaveLength(1);
  expect(against({ sites: [{ state: 'open', since: 1 }] })).toHaveLength(1);
  expect(against({ sites: [{ state: 'open' }] })).toEqual(['.sites[0].since is not shown']);
  expect(shapes.named('Board.sites.state')).toMatchObject({ enum: ['open', 'slow'] });
});
