/** A language tag in a request. */
import { Type } from 'typebox';
import { canonicalLocale, MAX_LOCALE_CHARS } from '../runtime/locale.ts';
import { checked } from './schema.ts';

export function localeField(description: string) {
  return checked(
    Type.String({ minLength: 2, maxLength: MAX_LOCALE_CHARS, description, examples: ['pt-BR'] }),
    (text, problems) => {
      if (canonicalLocale(text) === null)
        problems.add('', 'is no language by its BCP 47 name, such as pt-BR');
    },
  );
}
