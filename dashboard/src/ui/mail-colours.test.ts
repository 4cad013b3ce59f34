import { expect, it } from 'vitest';
import { inColours } from './mail-colours.ts';

it('answers what mail asks about colours', () => {
  const html =
    '<style>@media (prefers-color-scheme: dark) and (min-width:9px){} @media( Prefers-Color-Scheme:light ){}</style>';
  expect(inColours(html, 'dark')).toBe(
    '<style>@media (min-width: 0px) and (min-width:9px){} @media(max-width: 0px){}</style>',
  );
  expect(inColours(html, 'light')).toBe(
    '<style>@media (max-width: 0px) and (min-width:9px){} @media(min-width: 0px){}</style>',
  );
});
