import { expect, it } from 'vitest';
import { sampleData } from './sample-data.ts';

it('makes data of the shape that the variables of a template have', () => {
  const variables = [
    { name: 'name', type: 'string' },
    { name: 'order.id', type: 'number' },
    { name: 'items', type: 'array' },
    { name: 'items[].title', type: 'string' },
    { name: 'items[].tags[]', type: 'string' },
    { name: 'paid', type: 'boolean' },
  ];
  expect(sampleData(variables)).toEqual({
    name: 'Ada',
    order: { id: 42 },
    items: [{ title: 'title', tags: ['tags'] }],
    paid: true,
  });
});

it('shows what has a default with it', () => {
  const variables = [
    { name: 'name', type: 'string' },
    { name: 'order.currency', type: 'string' },
  ];
  const rules = [{ name: 'order.currency', type: 'string', default_value: 'EUR' }];
  expect(sampleData(variables, rules)).toEqual({ name: 'Ada', order: { currency: 'EUR' } });
});
