/** What a stream adds to a draft. Mail without a stream, or in the default one, costs nothing. */
import type { MailOptions, NewEmail } from '../emails/email.ts';
import { separateStream, TRANSACTIONAL } from '../emails/stream.ts';
import type { KnownStreams } from '../streams/known-streams.ts';

export interface StreamUnknown {
  readonly kind: 'stream_unknown';
  readonly at: 'stream';
  readonly stream: string;
  /** The names of the existing streams. */
  readonly known: readonly string[];
}

/** The stored fields. */
export interface Streamed extends Pick<NewEmail, 'priority' | 'stream' | 'tags' | 'unsubscribeGroup'> {
  readonly kind: 'streamed';
}

export interface StreamDefaults {
  readonly streams: Pick<KnownStreams, 'of' | 'names'>;
}

type StreamOptions = Pick<MailOptions, 'stream' | 'priority' | 'tags' | 'unsubscribe' | 'unsubscribeGroup'>;

export async function streamedAs(
  { streams }: StreamDefaults,
  organizationId: string,
  { stream, priority, tags, unsubscribe, unsubscribeGroup }: StreamOptions,
): Promise<Streamed | StreamUnknown> {
  if (stream === null || stream === TRANSACTIONAL)
    return withOrganizationDefaults({ priority, tags, unsubscribeGroup });
  const found = await streams.of(organizationId, stream);
  if (found === undefined)
    return { kind: 'stream_unknown', at: 'stream', stream, known: await streams.names(organizationId) };
  return {
    kind: 'streamed',
    priority: priority ?? found.priority,
    stream,
    tags,
    // A recipient who unsubscribes from one stream still gets mail of other streams.
    unsubscribeGroup: unsubscribeGroup ?? (unsubscribe ? stream : null),
  };
}

/** Applies the settings of the default stream to mail without a stream, or with a stream that only a tag names. */
export function withOrganizationDefaults({
  priority,
  tags,
  unsubscribeGroup,
}: Pick<StreamOptions, 'priority' | 'tags' | 'unsubscribeGroup'>): Streamed {
  return { kind: 'streamed', priority: priority ?? 'normal', ...separateStream(tags), unsubscribeGroup };
}
