<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** Nothing arrived in time. The message says what arrived instead, and what became of mail to that recipient. */
class MailNotReceivedException extends PostriderException
{
}
