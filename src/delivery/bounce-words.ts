/**
 * The words servers use, as patterns over a whole reply of about 1,000 characters at most. Written from what
 * providers publish about their replies and from the common ones of the servers people run. All repetitions are
 * bounded: the text comes from strangers.
 */

export const RATE_WORDS =
  /rate.?limit|throttl|too many (?:messages|mails|emails|connections|sessions)|unusual rate|unsolicited mail originating|exceeded .{0,30}rate|sending too (?:fast|quickly)|slow(?:ing)? down|\[TSS?\d{1,3}\]|due to (?:unexpected volume|user complaints)/i;
export const BLOCKLIST_WORDS =
  /spamhaus|spamcop|barracuda|block.?list|black.?list|deny.?list|\bdnsbl\b|\brbl\b|\[TSS\d+\]|poor reputation|banned sending IP/i;
export const POLICY_WORDS =
  /\bspam\b|\bblocked\b|\bpolicy\b|\bdmarc\b|\bspf\b|\bdkim\b|reverse dns|\bptr\b|unsolicited|not allowed to send|relay(?:ing)? (?:access )?denied|reputation/i;
/** "Not my domain": what a server says of mail that somebody's MX record sent to it by mistake or on purpose. */
export const NOT_SERVED_WORDS =
  /relay(?:ing)? (?:access )?(?:is |was )?(?:denied|refused|rejected|forbidden|prohibited|disabled|not (?:permitted|allowed|authori[sz]ed))|(?:unable|not (?:permitted|allowed|authori[sz]ed)) to relay|(?:do(?:es)? not|don't|won't|will not|cannot|can't|refuse to|no) relay|no open relay|(?:domain|host) (?:is )?not (?:hosted|handled|served|accepted|local|found) (?:here|on this|by this|at this)|not (?:a |one of our )?local domains?|no such domain (?:here|at this|on this)|unrout(?:e)?able (?:address|domain|mail)|(?:do(?:es)? not|don't) (?:accept|handle|host|receive) (?:e?mail|messages?) for (?:this|that|the|your) domain|in my list of allowed rcpthosts/i;
export const UNKNOWN_USER_WORDS =
  /(?:user|mailbox|recipient|address|account)(?: name)? (?:is )?(?:unknown|not found|invalid)|unknown (?:user|recipient|mailbox|local.?part|address)|no such (?:user|mailbox|recipient|address|person|account)|invalid (?:recipient|mailbox|user)|(?:user|mailbox|recipient|address|account).{0,40}(?:does not|doesn't|doesnt) exist|no mailbox (?:here )?by that name|not a (?:valid|known) (?:user|recipient|mailbox)/i;
export const QUOTA_WORDS =
  /mailbox (?:is )?(?:full|over)|over ?quota|quota (?:is )?exceeded|exceeded .{0,20}quota|out of storage|mailbox.{0,20}(?:limit|size)/i;
export const SIZE_WORDS =
  /message (?:is )?too (?:big|large|long)|(?:message|mail) size|size limit|exceeds .{0,30}\bsize\b/i;
export const NO_SERVICE_WORDS =
  /no smtp service|does not accept (?:mail|email)|not a mail (?:server|host)|no mail service/i;
