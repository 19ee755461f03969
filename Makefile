.PHONY: demo test

demo:
	python3 run.py demo

test:
	python3 run.py test
