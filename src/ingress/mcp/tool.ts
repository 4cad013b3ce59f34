import type { Static, TObject } from 'typebox';
import type { KeyPolicy, Scope } from '../../runtime/permissions.ts';
import type { MailApi } from './mail-api.ts';
import type { ToolAnswer } from './tool-answer.ts';

export interface ToolCaller {
  readonly scope: Scope;
  readonly policy: KeyPolicy | null;
  /** The installation delivers no mail to recipients. */
  readonly isSandbox: boolean;
}

export interface MailTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TObject;
  /** A narrower schema for callers with fewer rights; omitted fields are refused. */
  readonly inputFor?: (caller: ToolCaller) => TObject | undefined;
  /** The tool changes nothing. */
  readonly readOnly: boolean;
  readonly isFor: (caller: ToolCaller) => boolean;
  readonly run: (api: MailApi, given: never) => Promise<ToolAnswer>;
}

interface ToolOf<Input extends TObject> extends Omit<MailTool, 'input' | 'run'> {
  readonly input: Input;
  readonly run: (api: MailApi, given: Static<Input>) => Promise<ToolAnswer>;
}

/** `run` gets input that was validated against the schema. */
export function mailTool<Input extends TObject>(tool: ToolOf<Input>): MailTool {
  return tool as unknown as MailTool;
}

/**
 * The definition of a tool: its description for the model, its input schema, and a function that makes API
 * requests.
 */
export const forSenders = ({ scope }: ToolCaller): boolean => scope !== 'read';

export const forReaders = ({ scope }: ToolCaller): boolean => scope !== 'send';

export const forReadersOfAllMail = ({ scope, policy }: ToolCaller): boolean =>
  scope === 'agent' ? policy?.read === 'organization' : scope !== 'send';

export const forReceivedMail = ({ scope, policy }: ToolCaller): boolean =>
  scope === 'agent' ? policy?.inbound === true : scope !== 'send';

export const forFullKeys = ({ scope }: ToolCaller): boolean => scope === 'full';
