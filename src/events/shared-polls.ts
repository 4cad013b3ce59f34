/**
 * Polls for news of organizations that are followed: once for all followers of an organization, one poll at a time, and only
 * while there are followers.
 */
import type { Log } from '../runtime/log.ts';

/** The poll of one organization. It remembers what it has found. */
export interface NewsPoll<News> {
  /** The first call, without `tell`, only records what exists. `tell` is false once nobody follows. */
  look(tell?: (news: News) => boolean): Promise<void>;
  /** What a new follower may have missed while it connected. */
  recent?(): News | null;
}

interface SharedPollsOptions<News> {
  readonly create: (organizationId: string) => NewsPoll<News>;
  readonly intervalMs: number;
  readonly log: Log;
}

export class SharedPolls<News> {
  readonly #options: SharedPollsOptions<News>;
  readonly #feeds = new Map<string, Feed<News>>();

  constructor(options: SharedPollsOptions<News>) {
    this.#options = options;
  }

  /** Passes on all news from now on, until the returned function is called. */
  async follow(organizationId: string, follower: (news: News) => void): Promise<() => void> {
    let feed = this.#feeds.get(organizationId);
    if (feed === undefined) {
      feed = new Feed(this.#options, organizationId);
      this.#feeds.set(organizationId, feed);
    }
    const joined = feed;
    joined.followers.add(follower);
    const leave = () => {
      joined.followers.delete(follower);
      if (joined.followers.size > 0 || this.#feeds.get(organizationId) !== joined) return;
      joined.stop();
      this.#feeds.delete(organizationId);
    };
    try {
      await joined.begun;
    } catch (error) {
      leave();
      throw error;
    }
    const recent = joined.poll.recent?.() ?? null;
    if (recent !== null) follower(recent);
    return leave;
  }
}

class Feed<News> {
  readonly followers = new Set<(news: News) => void>();
  readonly poll: NewsPoll<News>;
  readonly begun: Promise<void>;
  readonly #options: SharedPollsOptions<News>;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: SharedPollsOptions<News>, organizationId: string) {
    this.#options = options;
    this.poll = options.create(organizationId);
    this.begun = this.poll.look().then(() => this.#schedule());
    this.begun.catch(() => this.stop());
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#look(), this.#options.intervalMs).unref();
  }

  async #look(): Promise<void> {
    try {
      await this.poll.look((news) => {
        for (const follower of this.followers) follower(news);
        return !this.#stopped;
      });
    } catch (error) {
      this.#options.log.debug({ err: error }, 'cannot look for new events');
    }
    this.#schedule();
  }
}
