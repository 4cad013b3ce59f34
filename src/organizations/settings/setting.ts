/**
 * A setting of an organization. Each setting has a file that defines its storage, its default, its schemas in the API
 * and the name of a change in the audit log. `list.ts` lists all settings, and `routes.ts` gives each a URL.
 */
import type { Static, TObject } from 'typebox';

interface SettingOf<Shown extends TObject, Taken extends TObject> {
  /** The last segment of the URL `/settings/<name>`. */
  readonly name: string;
  readonly tag?: string;
  readonly toRead: string;
  readonly toChange: string;
  readonly description?: string;
  readonly shown: Shown;
  /** A schema that rejects unknown fields. */
  readonly taken: Taken;
  readonly audit: { readonly action: string; readonly show?: readonly string[] };
  readonly read: (organizationId: string) => Promise<Static<Shown>>;
  readonly change: (organizationId: string, asked: Static<Taken>) => Promise<Static<Shown>>;
}

export type Setting = SettingOf<TObject, TObject>;

/** Input to `change` has been validated against `taken`. */
export function defineSetting<Shown extends TObject, Taken extends TObject>(
  setting: SettingOf<Shown, Taken>,
): Setting {
  return setting as unknown as Setting;
}
