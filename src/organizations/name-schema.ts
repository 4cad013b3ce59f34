import { Type } from 'typebox';
import { checked } from '../http/schema.ts';
import { ORGANIZATION_NAME_MAX, organizationNameProblem } from './service.ts';

export function organizationName(example: string) {
  const field = Type.String({
    description: `1 to ${ORGANIZATION_NAME_MAX} characters.`,
    examples: [example],
  });
  return checked(field, (text, problems) => {
    const problem = organizationNameProblem(text);
    if (problem !== undefined) problems.add('', problem);
  });
}
