<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** No message arrived in time. The error lists the messages that arrived instead and the status of mail to that recipient. */
class MailNotReceivedException extends PostriderException
{
}
