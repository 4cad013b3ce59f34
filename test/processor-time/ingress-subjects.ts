/** What text of requests and of submitted mail reaches, before it is accepted. */
import { formSubjects } from './form-subjects.ts';
import { headerSubjects } from './header-subjects.ts';
import { jsonSubjects } from './json-subjects.ts';
import { smtpSubjects } from './smtp-subjects.ts';
import type { Subject } from './subject.ts';

export const ingressSubjects: readonly Subject[] = [
  ...smtpSubjects,
  ...headerSubjects,
  ...formSubjects,
  ...jsonSubjects,
];
