<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** No answer in time. */
class TimedOutException extends ConnectionFailedException
{
}
