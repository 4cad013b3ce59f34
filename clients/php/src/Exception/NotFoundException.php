<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 404: the object does not exist, or belongs to another organization. */
class NotFoundException extends PostriderException
{
}
