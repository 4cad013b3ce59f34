/** What text of templates and of messages to send reaches. */
import type { Subject } from './subject.ts';

export const messageSubjects: readonly Subject[] = [];
