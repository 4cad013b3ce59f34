/** What a tool is: words for the model, the shape of what it gives, and a function from that to requests to the API. */
import type { Static, TObject } from 'typebox';
import type { KeyPolicy, Scope } from '../../runtime/permissions.ts';
import type { MailApi } from './mail-api.ts';
import type { ToolAnswer } from './tool-answer.ts';

/** Whose tools they are. */
export interface ToolCaller {
  readonly scope: Scope;
  readonly policy: KeyPolicy | null;
  /** The installation delivers to nobody. */
  readonly isSandbox: boolean;
}

export interface MailTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TObject;
  /** Narrower, for callers who may give less; what it leaves out is refused. */
  readonly inputFor?: (caller: ToolCaller) => TObject | undefined;
  /** It changes nothing. */
  readonly readOnly: boolean;
  readonly isFor: (caller: ToolCaller) => boolean;
  readonly run: (api: MailApi, given: never) => Promise<ToolAnswer>;
}

interface ToolOf<Input extends TObject> extends Omit<MailTool, 'input' | 'run'> {
  readonly input: Input;
  readonly run: (api: MailApi, given: Static<Input>) => Promise<ToolAnswer>;
}

/** What it is given has been checked against its shape. */
export function mailTool<Input extends TObject>(tool: ToolOf<Input>): MailTool {
  return tool as unknown as MailTool;
}

export const forSenders = ({ scope }: ToolCaller): boolean => scope !== 'read';
export const forReaders = ({ scope }: ToolCaller): boolean => scope !== 'send';
/** Tools about all mail of the organization. */
export const forReadersOfAllMail = ({ scope, policy }: ToolCaller): boolean =>
  scope === 'agent' ? policy?.read === 'organization' : scope !== 'send';
/** Tools for received mail. */
export const forReceivedMail = ({ scope, policy }: ToolCaller): boolean =>
  scope === 'agent' ? policy?.inbound === true : scope !== 'send';
export const forFullKeys = ({ scope }: ToolCaller): boolean => scope === 'full';
