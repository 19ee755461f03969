.PHONY: demo test docs

demo:
	python3 run.py demo

test:
	python3 run.py test

docs:
	python3 -m sphinx -W --keep-going -b html docs out/site
