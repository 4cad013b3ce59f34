/** How providers tell senders of complaints, and what a sender has to do for it. Facts. */

/** What is enrolled: a domain that signs or sends, or an address that mail leaves from. */
export type LoopSubject = 'domain' | 'address';

export interface FeedbackLoop {
  readonly name: string;
  readonly title: string;
  /** As deliveries are counted by. */
  readonly provider: string;
  readonly subject: LoopSubject;
  /** Where to enroll. */
  readonly url: string;
  /** Whether reports come back by mail, so that it can be seen that it works. */
  readonly sendsReports: boolean;
  /** `{fbl}`: the address for reports. `{subject}`: what is enrolled. */
  readonly steps: readonly string[];
}

export const FEEDBACK_LOOPS: readonly FeedbackLoop[] = [
  {
    name: 'gmail_postmaster',
    title: 'Google Postmaster Tools',
    provider: 'google',
    subject: 'domain',
    url: 'https://postmaster.google.com/',
    sendsReports: false,
    steps: [
      'Sign in and add {subject}.',
      'Publish the TXT record that it shows, and let it verify the domain.',
      'Watch the spam rate there: it must stay below 0.1 %, and never reach 0.3 %. It is told by day, and by the parts of the header Feedback-ID, which is set for you: template, kind of mail, domain, organization.',
    ],
  },
  {
    name: 'yahoo_cfl',
    title: 'Yahoo Complaint Feedback Loop',
    provider: 'yahoo',
    subject: 'domain',
    url: 'https://senders.yahooinc.com/complaint-feedback-loop/',
    sendsReports: true,
    steps: [
      'Sign in to the Sender Hub and add {subject}: reports are about mail with a DKIM signature of it.',
      'Confirm the domain with the code that is sent to its postmaster address, or with the record that is shown.',
      'Give {fbl} as the address for reports.',
    ],
  },
  {
    name: 'microsoft_jmrp',
    title: 'Microsoft Junk Mail Reporting Program',
    provider: 'microsoft-consumer',
    subject: 'address',
    url: 'https://sendersupport.olc.protection.outlook.com/snds/JMRP.aspx',
    sendsReports: true,
    steps: [
      'Sign in with a Microsoft account, and ask for access to {subject}.',
      'Confirm it with the mail that is sent to the address that the network is registered with.',
      'Add a feed with {fbl} as the complaint address.',
    ],
  },
  {
    name: 'microsoft_snds',
    title: 'Microsoft Smart Network Data Services',
    provider: 'microsoft-consumer',
    subject: 'address',
    url: 'https://sendersupport.olc.protection.outlook.com/snds/',
    sendsReports: false,
    steps: [
      'Sign in with a Microsoft account, and ask for access to {subject}.',
      'Look at its colour there after a day with more than 100 mails: green is good, red means that more than 90 % was taken for spam.',
    ],
  },
];

export function loopNamed(name: string): FeedbackLoop | undefined {
  return FEEDBACK_LOOPS.find((one) => one.name === name);
}
