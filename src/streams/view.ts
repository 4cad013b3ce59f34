/** Streams as the API shows them. */
import { builtIn, type Stream, type StreamPace } from './stream.ts';

export interface StreamShown {
  readonly name: string;
  readonly description: string | null;
  readonly priority: Stream['priority'];
  readonly messages_per_minute: number | null;
  readonly messages_per_hour: number | null;
  readonly built_in: boolean;
  readonly created_at: Date | null;
}

export function shownStream(stream: Stream): StreamShown {
  const { name, description, priority, messagesPerMinute, messagesPerHour, createdAt } = stream;
  return {
    ...{ name, description, priority },
    messages_per_minute: messagesPerMinute,
    messages_per_hour: messagesPerHour,
    built_in: builtIn(name) !== undefined,
    created_at: createdAt,
  };
}

export interface StreamSettingsInput {
  readonly description?: string | null;
  readonly priority?: Stream['priority'];
  readonly messages_per_minute?: number | null;
  readonly messages_per_hour?: number | null;
}

/** Only the given fields. */
export function settingsIn(
  body: StreamSettingsInput,
): Partial<Pick<Stream, 'description' | 'priority'> & StreamPace> {
  const { description, priority, messages_per_minute: minute, messages_per_hour: hour } = body;
  return {
    ...(description === undefined ? {} : { description }),
    ...(priority === undefined ? {} : { priority }),
    ...(minute === undefined ? {} : { messagesPerMinute: minute }),
    ...(hour === undefined ? {} : { messagesPerHour: hour }),
  };
}

/** All fields of a new stream. */
export function newStreamOf({ name, ...body }: StreamSettingsInput & { readonly name: string }) {
  return { name, ...NEW, ...settingsIn(body) };
}

const NEW = {
  description: null,
  priority: 'normal',
  messagesPerMinute: null,
  messagesPerHour: null,
} as const satisfies Partial<Stream>;
