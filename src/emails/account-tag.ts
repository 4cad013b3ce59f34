/**
 * Marked mail to users of this installation while it was the first organization's: whoever may read mail may not read
 * that. Nothing new carries it.
 */
export const ACCOUNT_TAG = { name: 'postrider', value: 'account' } as const;

interface Tag {
  readonly name: string;
  readonly value: string;
}

export function isAccountMail({ tags }: { readonly tags: readonly Tag[] | null }): boolean {
  return tags?.some(({ name, value }) => name === ACCOUNT_TAG.name && value === ACCOUNT_TAG.value) ?? false;
}
