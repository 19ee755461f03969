"""Template families by kind of page; importing this package registers them all."""

from structce.synthetic.templates import articles as articles
from structce.synthetic.templates import blogs as blogs
from structce.synthetic.templates import commerce as commerce
from structce.synthetic.templates import community as community
from structce.synthetic.templates import media as media
from structce.synthetic.templates import news as news
from structce.synthetic.templates import official as official
from structce.synthetic.templates import reference as reference
