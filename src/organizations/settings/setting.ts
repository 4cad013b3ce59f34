/**
 * A setting: what an organization has decided for all of its mail. Each is one file, which says where it is stored, what
 * holds while nobody has set it, what the API shows and takes, and what a change is called in the audit log. `list.ts`
 * names them all, and `routes.ts` gives each its address.
 */
import type { Static, TObject } from 'typebox';

interface SettingOf<Shown extends TObject, Taken extends TObject> {
  /** Its address is `/settings/<name>`. */
  readonly name: string;
  readonly tag?: string;
  readonly toRead: string;
  readonly toChange: string;
  readonly description?: string;
  readonly shown: Shown;
  /** Refuses fields that it does not know. */
  readonly taken: Taken;
  readonly audit: { readonly action: string; readonly show?: readonly string[] };
  readonly read: (organizationId: string) => Promise<Static<Shown>>;
  readonly change: (organizationId: string, asked: Static<Taken>) => Promise<Static<Shown>>;
}

export type Setting = SettingOf<TObject, TObject>;

/** `taken` has checked what is given to `change`. */
export function defineSetting<Shown extends TObject, Taken extends TObject>(
  setting: SettingOf<Shown, Taken>,
): Setting {
  return setting as unknown as Setting;
}
